import { vi } from 'vitest'

const bytes = (text: string) => new TextEncoder().encode(text).buffer

/** A browser with an authenticator; `prf` is the secret that it derives for any input. */
export function fakePasskeys({ prf }: { prf?: Uint8Array<ArrayBuffer> } = {}) {
  const results = prf ? { prf: { enabled: true, results: { first: prf.buffer } } } : {}
  const credential = (response: object) => ({
    id: 'Y3JlZGVudGlhbC0x',
    response,
    getClientExtensionResults: () => results,
  })
  const create = vi.fn<(options: CredentialCreationOptions) => Promise<object>>(() =>
    Promise.resolve(
      credential({
        clientDataJSON: bytes('client data'),
        attestationObject: bytes('attestation'),
        getTransports: () => ['internal'],
      }),
    ),
  )
  const get = vi.fn<(options: CredentialRequestOptions) => Promise<object>>(() =>
    Promise.resolve(
      credential({
        clientDataJSON: bytes('client data'),
        authenticatorData: bytes('authenticator data'),
        signature: bytes('signature'),
        userHandle: null,
      }),
    ),
  )
  vi.stubGlobal('PublicKeyCredential', vi.fn())
  vi.stubGlobal('navigator', Object.create(navigator, { credentials: { value: { create, get } } }))
  return { create, get }
}

export const creationOptions = {
  rp: { id: 'localhost', name: 'Tessera' },
  user: { id: 'dXNlcg', name: 'leader@northwind.test', displayName: 'Ada' },
  challenge: 'Y2hhbGxlbmdl',
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  excludeCredentials: [{ id: 'b3RoZXI', type: 'public-key', transports: ['usb'] }],
}

export const requestOptions = {
  rpId: 'localhost',
  challenge: 'Y2hhbGxlbmdl',
  allowCredentials: [{ id: 'Y3JlZGVudGlhbC0x', type: 'public-key' }],
  userVerification: 'required',
}

/** What the server is sent for a signed challenge. */
export const signed = {
  id: 'Y3JlZGVudGlhbC0x',
  clientData: 'Y2xpZW50IGRhdGE',
  authenticatorData: 'YXV0aGVudGljYXRvciBkYXRh',
  signature: 'c2lnbmF0dXJl',
  userHandle: null,
}
