import SQLite
import SchemaFiles

/// The statements of the worker's path, prepared once a connection.
struct OutboxStatements {
    let candidates: Statement
    let anchor: Statement
    let setAnchor: Statement
    let moveWork: Statement
    let moveDestinations: Statement
    let moveDeadlines: Statement
    let moveErasures: Statement
    let hasten: Statement
    let pauseSession: Statement
    let resumeSession: Statement
    let isSessionPaused: Statement
    let countClaims: Statement
    let holders: Statement
    let releaseHolder: Statement
    let claim: Statement
    let work: Statement
    let freeze: Statement
    let settle: Statement
    let release: Statement
    let makeDue: Statement
    let deleteSecrets: Statement
    let lastAttempt: Statement
    let insertAttempt: Statement
    let pause: Statement
    let resume: Statement
    let witness: Statement
    let failures: Statement
    let lastDelivered: Statement
    let breaker: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        candidates = try Statement(connection, SchemaFiles.claimCandidates)
        anchor = try Statement(connection, SchemaFiles.findClockAnchor)
        setAnchor = try Statement(connection, SchemaFiles.setClockAnchor)
        moveWork = try Statement(connection, SchemaFiles.moveWorkTimes)
        moveDestinations = try Statement(connection, SchemaFiles.moveDestinationTimes)
        moveDeadlines = try Statement(connection, SchemaFiles.moveDeadlines)
        moveErasures = try Statement(connection, SchemaFiles.moveErasureRequests)
        hasten = try Statement(connection, SchemaFiles.hastenDelivery)
        pauseSession = try Statement(connection, SchemaFiles.pauseSession)
        resumeSession = try Statement(connection, SchemaFiles.resumeSession)
        isSessionPaused = try Statement(connection, SchemaFiles.isSessionPaused)
        countClaims = try Statement(connection, SchemaFiles.countClaims)
        holders = try Statement(connection, SchemaFiles.listHolders)
        releaseHolder = try Statement(connection, SchemaFiles.releaseClaimsOfHolder)
        claim = try Statement(connection, SchemaFiles.claimDelivery)
        work = try Statement(connection, SchemaFiles.findWork)
        freeze = try Statement(connection, SchemaFiles.freezeBody)
        settle = try Statement(connection, SchemaFiles.settleWork)
        release = try Statement(connection, SchemaFiles.releaseClaim)
        makeDue = try Statement(connection, SchemaFiles.makeDueNow)
        deleteSecrets = try Statement(connection, SchemaFiles.deleteWorkSecretsOfSession)
        lastAttempt = try Statement(connection, SchemaFiles.lastAttemptNumber)
        insertAttempt = try Statement(connection, SchemaFiles.insertAttempt)
        pause = try Statement(connection, SchemaFiles.pauseDestination)
        resume = try Statement(connection, SchemaFiles.resumeDestination)
        witness = try Statement(connection, SchemaFiles.setContractBreakWitness)
        failures = try Statement(connection, SchemaFiles.setDestinationFailures)
        lastDelivered = try Statement(connection, SchemaFiles.setLastDelivered)
        breaker = try Statement(connection, SchemaFiles.setDestinationBreaker)
    }
}
