// What keeps analytics.sqlite.

extension SchemaFiles {
    package static var analyticsSchema: [UInt8] { PackageResources.analytics_schema_sql }
    package static var analyticsViews: [UInt8] { PackageResources.analytics_views_sql }
}
