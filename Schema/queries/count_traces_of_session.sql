-- count_traces_of_session: what is left of a session beside its events
-- ?1 session_no
SELECT
    (SELECT count(*) FROM private_lookup WHERE session_no = ?1),
    (SELECT count(*) FROM receipt WHERE session_no = ?1),
    (
        SELECT count(*) FROM delivery_work AS w JOIN delivery AS d ON d.delivery_no = w.delivery_no
        WHERE d.session_no = ?1 AND (w.frozen IS NOT NULL OR w.body_digest IS NOT NULL OR w.status_address IS NOT NULL)
    );
