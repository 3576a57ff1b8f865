// What a rebuild of the projections runs.

extension SchemaFiles {
    package static var attachBeside: [UInt8] { PackageResources.attach_beside_sql }
    package static var clearDelivery: [UInt8] { PackageResources.clear_delivery_sql }
    package static var clearFlow: [UInt8] { PackageResources.clear_flow_sql }
    package static var configureScratch: [UInt8] { PackageResources.configure_scratch_sql }
    package static var configureSwap: [UInt8] { PackageResources.configure_swap_sql }
    package static var deleteDeliveriesOfSession: [UInt8] { PackageResources.delete_deliveries_of_session_sql }
    package static var indexShape: [UInt8] { PackageResources.index_shape_sql }
    package static var projectionSchema: [UInt8] { PackageResources.projection_schema_sql }
    package static var reindexProjections: [UInt8] { PackageResources.reindex_projections_sql }
    package static var sessionsAfter: [UInt8] { PackageResources.sessions_after_sql }
    package static var takeDelivery: [UInt8] { PackageResources.take_delivery_sql }
    package static var takeFlow: [UInt8] { PackageResources.take_flow_sql }
}
