// A provider of identities for tests: oidc-provider with its own pages to sign in. It reads what it says about people from a
// file: {"ann": {"email_verified": true, "groups": ["admins"]}}. Usage: node provider.mjs PORT REDIRECT_URI FILE
import { readFileSync } from "node:fs";
import { Provider } from "oidc-provider";

const [port, redirect, file] = process.argv.slice(2);
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{ client_id: "semblance", client_secret: "a-secret-of-the-client", redirect_uris: [redirect] }],
  claims: { openid: ["sub", "groups"], email: ["email", "email_verified"] },
  pkce: { required: () => true },
  findAccount: (context, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: `${id.split("-").pop()}@example.org`, ...JSON.parse(readFileSync(file))[id] }),
  }),
});
provider.listen(Number(port), "127.0.0.1", () => console.log("listening"));
