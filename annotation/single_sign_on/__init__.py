"""Single sign-on by OpenID Connect: an app that is only installed where OIDC_URL is set."""
