// EventStorage
