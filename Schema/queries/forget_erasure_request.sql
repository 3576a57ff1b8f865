DELETE FROM erasure_request;
