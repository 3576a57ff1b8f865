// LocalHTTP
