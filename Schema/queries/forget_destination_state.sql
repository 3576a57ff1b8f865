DELETE FROM destination_state;
