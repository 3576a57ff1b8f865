// What the tree, its checkpoints and their witnesses run.

extension SchemaFiles {
    package static var checkpointFrom: [UInt8] { PackageResources.checkpoint_from_sql }
    package static var clearTiles: [UInt8] { PackageResources.clear_tiles_sql }
    package static var findTile: [UInt8] { PackageResources.find_tile_sql }
    package static var insertCheckpoint: [UInt8] { PackageResources.insert_checkpoint_sql }
    package static var insertSigningKey: [UInt8] { PackageResources.insert_signing_key_sql }
    package static var insertWitnessed: [UInt8] { PackageResources.insert_witnessed_sql }
    package static var lastTile: [UInt8] { PackageResources.last_tile_sql }
    package static var lastWitnessed: [UInt8] { PackageResources.last_witnessed_sql }
    package static var listSigningKeys: [UInt8] { PackageResources.list_signing_keys_sql }
    package static var newestCheckpoint: [UInt8] { PackageResources.newest_checkpoint_sql }
    package static var putTile: [UInt8] { PackageResources.put_tile_sql }
}
