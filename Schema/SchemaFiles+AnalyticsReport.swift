// What is asked of analytics.sqlite.

extension SchemaFiles {
    package static var analyticsReportFunnel: [UInt8] { PackageResources.analytics_report_funnel_sql }
    package static var analyticsReportOutcomes: [UInt8] { PackageResources.analytics_report_outcomes_sql }
    package static var analyticsReportAttempts: [UInt8] { PackageResources.analytics_report_attempts_sql }
    package static var analyticsReportRefusals: [UInt8] { PackageResources.analytics_report_refusals_sql }
    package static var analyticsReportChecks: [UInt8] { PackageResources.analytics_report_checks_sql }
    package static var analyticsReportSteps: [UInt8] { PackageResources.analytics_report_steps_sql }
    package static var analyticsReportAnswers: [UInt8] { PackageResources.analytics_report_answers_sql }
    package static var analyticsReportRequests: [UInt8] { PackageResources.analytics_report_requests_sql }
    package static var analyticsReportGuidance: [UInt8] { PackageResources.analytics_report_guidance_sql }
    package static var analyticsReportRecordings: [UInt8] { PackageResources.analytics_report_recordings_sql }
    package static var analyticsReportReasons: [UInt8] { PackageResources.analytics_report_reasons_sql }
    package static var analyticsReportFirst: [UInt8] { PackageResources.analytics_report_first_sql }
    package static var analyticsReportCount: [UInt8] { PackageResources.analytics_report_count_sql }
}
