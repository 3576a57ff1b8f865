-- ?1 digest blob(32)
SELECT json FROM configuration WHERE digest = ?1;
