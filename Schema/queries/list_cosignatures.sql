-- What witnesses gave back for checkpoints that are here.
SELECT witnessed.tree_size, witnessed.cosignature, checkpoint.note
FROM witnessed JOIN checkpoint ON checkpoint.tree_size = witnessed.tree_size
WHERE witnessed.cosignature IS NOT NULL ORDER BY witnessed.tree_size, witnessed.destination;
