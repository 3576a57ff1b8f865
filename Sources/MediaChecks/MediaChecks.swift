// MediaChecks
