"""How people come to a project: links, invitations by e-mail, guests, and crowd platforms."""
