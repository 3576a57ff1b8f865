// capture-ledger
