// The certified provider of npm's `oidc-provider`, with its own forms: any name logs in, and is the address.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const [port, modules, redirectUri, backchannelLogoutUri] = process.argv.slice(2)
const found = createRequire(`${modules}/`).resolve('oidc-provider')
const { Provider } = await import(pathToFileURL(found))

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: 'tessera',
      client_secret: 'a secret of the company',
      redirect_uris: [redirectUri],
      backchannel_logout_uri: backchannelLogoutUri,
      backchannel_logout_session_required: true,
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  cookies: { keys: ['of a test'] },
  features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
  // Its own refuses loopback addresses, which all of this test has.
  fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined }),
  findAccount: (_, sub) => ({
    accountId: sub,
    claims: () => ({ sub, email: sub, email_verified: true }),
  }),
})
provider.listen(Number(port), '127.0.0.1')
