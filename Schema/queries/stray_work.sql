-- Tables with a row about a delivery that is not there; the deliveries have been made from the events by now.
SELECT name FROM (
    SELECT 'delivery_work' AS name FROM delivery_work WHERE delivery_no NOT IN (SELECT delivery_no FROM delivery)
    UNION ALL SELECT 'attempt' FROM attempt AS a
    LEFT JOIN delivery AS d ON d.delivery_no = a.delivery_no WHERE d.delivery_id IS NOT a.delivery_id
) LIMIT 1;
