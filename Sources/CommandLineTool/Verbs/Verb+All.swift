extension Verb {
    /// Every verb, in the order of the overview.
    static let all: [Verb] = [
        initialise,
        sessionStart, sessionShow, sessionFind, sessionList, sessionExit, sessionCancel, sessionSuspend, sessionResume, capture,
        check, confirm, retake, drop, hologramStart, hologramCancel, hologramBind, observe, sync, syncList, syncExplain,
        syncPause,
        syncResume, syncRequeue, syncProbe, status, explain, subjectReport, timeline, replay, auditVerify,
        analyticsReport, analyticsCount, analyticsExport,
        auditCheckpoint, auditProve, auditWitness,
        auditExport, auditVerifyExport, supportBundle,
        auditProveDeleted, mediaOpen, erase,
        purge, keyRotate, backup, restore, export, importing,
        doctor,
        rebuild, migrate,
        configCheck, policyShow, policyCheck, rescore, scan, sandbox, benchAppend, benchGroup, benchContention, benchRead,
        benchSession,
        benchSeal, benchCallbacks, benchVerify, benchDeliver, benchChecks, benchRebuild,
        demo,
    ]
}
