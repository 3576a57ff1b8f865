// DeliveryMachine
