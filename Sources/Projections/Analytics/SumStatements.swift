import SQLite
import SchemaFiles

/// How the rows of one daily table are added to, and go when nothing is left of them.
struct SumStatements {
    let add: Statement
    let drop: Statement

    init(_ connection: Connection, _ table: DailySums.Table) throws(SQLiteError) {
        let (add, drop) =
            switch table {
            case .funnel: (SchemaFiles.analyticsAddDailyFunnel, SchemaFiles.analyticsDropDailyFunnel)
            case .outcome: (SchemaFiles.analyticsAddDailyOutcome, SchemaFiles.analyticsDropDailyOutcome)
            case .attempts: (SchemaFiles.analyticsAddDailyAttempts, SchemaFiles.analyticsDropDailyAttempts)
            case .refusal: (SchemaFiles.analyticsAddDailyRefusal, SchemaFiles.analyticsDropDailyRefusal)
            case .check: (SchemaFiles.analyticsAddDailyCheck, SchemaFiles.analyticsDropDailyCheck)
            case .stepTime: (SchemaFiles.analyticsAddDailyStepTime, SchemaFiles.analyticsDropDailyStepTime)
            case .answer: (SchemaFiles.analyticsAddDailyAnswer, SchemaFiles.analyticsDropDailyAnswer)
            case .guidance: (SchemaFiles.analyticsAddDailyGuidance, SchemaFiles.analyticsDropDailyGuidance)
            }
        self.add = try Statement(connection, add)
        self.drop = try Statement(connection, drop)
    }
}
