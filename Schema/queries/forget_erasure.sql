DELETE FROM erasure;
