// EventCoding
