// The capture kit's names, so that a host's sources read as before; docs/coming-from-the-capture-kit.md has the table.

public typealias IDCAnalytics = FlowAnalytics
public typealias IDCAnalyticsReporting = AnalyticsReporting
public typealias IDCCallbacks = CaptureCallbacks
public typealias IDCCaptureCopy = CaptureCopy
public typealias IDCCaptureFailure = CaptureFailure
public typealias IDCCaptureResult = CaptureResult
public typealias IDCCaptureSource = CaptureSource
public typealias IDCConfiguration = CaptureConfiguration
public typealias IDCFactory = CaptureFactory
public typealias IDCFallbackLink = FallbackLink
public typealias IDCFieldDetections = FieldDetections
public typealias IDCFlowViewModel = CaptureFlow
public typealias IDCInference = Inference
public typealias IDCLoadedModel = LoadedModel
public typealias IDCModel = CheckModel
public typealias IDCModelRunner = ModelRunner
public typealias IDCPassportChecks = PassportChecks
public typealias IDCPiece = Piece
public typealias IDCProgressStyle = ProgressStyle
public typealias IDCReminderPlanner = ReminderPlanner
public typealias IDCSelfieChecks = SelfieChecks
public typealias IDCTensor = Tensor
public typealias IDCUploadCheck = UploadCheck
public typealias IDCVerificationOutcome = VerificationOutcome
public typealias IDCVerifier = Verifier
