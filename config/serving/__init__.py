"""How requests are received: whole before a thread works on them, and no larger than their address allows."""
