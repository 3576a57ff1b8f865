// What Outbox runs.

extension SchemaFiles {
    package static var attemptsOfDelivery: [UInt8] { PackageResources.attempts_of_delivery_sql }
    package static var backlog: [UInt8] { PackageResources.backlog_sql }
    package static var claimCandidates: [UInt8] { PackageResources.claim_candidates_sql }
    package static var claimDelivery: [UInt8] { PackageResources.claim_delivery_sql }
    package static var countClaims: [UInt8] { PackageResources.count_claims_sql }
    package static var deleteWorkSecretsOfSession: [UInt8] { PackageResources.delete_work_secrets_of_session_sql }
    package static var deliveriesOfSession: [UInt8] { PackageResources.deliveries_of_session_sql }
    package static var isDeliveryWanted: [UInt8] { PackageResources.is_delivery_wanted_sql }
    package static var findDestinationState: [UInt8] { PackageResources.find_destination_state_sql }
    package static var findWork: [UInt8] { PackageResources.find_work_sql }
    package static var freezeBody: [UInt8] { PackageResources.freeze_body_sql }
    package static var insertAttempt: [UInt8] { PackageResources.insert_attempt_sql }
    package static var insertDelivery: [UInt8] { PackageResources.insert_delivery_sql }
    package static var lastAttemptNumber: [UInt8] { PackageResources.last_attempt_number_sql }
    package static var lastSuccess: [UInt8] { PackageResources.last_success_sql }
    package static var listDeliveries: [UInt8] { PackageResources.list_deliveries_sql }
    package static var listDestinationStates: [UInt8] { PackageResources.list_destination_states_sql }
    package static var listHolders: [UInt8] { PackageResources.list_holders_sql }
    package static var makeDueNow: [UInt8] { PackageResources.make_due_now_sql }
    package static var pauseDestination: [UInt8] { PackageResources.pause_destination_sql }
    package static var releaseClaim: [UInt8] { PackageResources.release_claim_sql }
    package static var releaseClaimsOfHolder: [UInt8] { PackageResources.release_claims_of_holder_sql }
    package static var resumeDestination: [UInt8] { PackageResources.resume_destination_sql }
    package static var setContractBreakWitness: [UInt8] { PackageResources.set_contract_break_witness_sql }
    package static var setDestinationBreaker: [UInt8] { PackageResources.set_destination_breaker_sql }
    package static var setDestinationFailures: [UInt8] { PackageResources.set_destination_failures_sql }
    package static var settleWork: [UInt8] { PackageResources.settle_work_sql }
    package static var updateDelivery: [UInt8] { PackageResources.update_delivery_sql }
    package static var setLastDelivered: [UInt8] { PackageResources.set_last_delivered_sql }
    package static var findClockAnchor: [UInt8] { PackageResources.find_clock_anchor_sql }
    package static var setClockAnchor: [UInt8] { PackageResources.set_clock_anchor_sql }
    package static var listClockJumps: [UInt8] { PackageResources.list_clock_jumps_sql }
    package static var moveWorkTimes: [UInt8] { PackageResources.move_work_times_sql }
    package static var moveDestinationTimes: [UInt8] { PackageResources.move_destination_times_sql }
    package static var moveDeadlines: [UInt8] { PackageResources.move_deadlines_sql }
    package static var hastenDelivery: [UInt8] { PackageResources.hasten_delivery_sql }
    package static var pauseSession: [UInt8] { PackageResources.pause_session_sql }
    package static var resumeSession: [UInt8] { PackageResources.resume_session_sql }
    package static var isSessionPaused: [UInt8] { PackageResources.is_session_paused_sql }
    package static var listSessionPauses: [UInt8] { PackageResources.list_session_pauses_sql }
}
