"""What clients reach: the application, its routes, sockets and pages."""
