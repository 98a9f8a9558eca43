import { fromBase64url, randomBytes, toBase64url, type Bytes } from '@/crypto/bytes'
import { PasskeyError } from './passkey-support'

/** Results of extensions are left out: they may hold a secret, which stays in the browser. */
export type NewPasskey = { id: string; clientData: string; attestationObject: string; transports: string[] }
export type SignedChallenge = {
  id: string
  clientData: string
  authenticatorData: string
  signature: string
  userHandle: string | null
}

/** Asks the browser to make a passkey. `options` is the server's JSON. */
export async function createPasskey(options: object): Promise<NewPasskey> {
  const { challenge, user, excludeCredentials, ...rest } = options as PublicKeyCredentialCreationOptionsJSON
  const credential = await ask(() =>
    navigator.credentials.create({
      publicKey: {
        ...(rest as Pick<PublicKeyCredentialCreationOptions, 'rp' | 'pubKeyCredParams'>),
        challenge: decode(challenge),
        user: { ...user, id: decode(user.id) },
        excludeCredentials: (excludeCredentials ?? []).map(toDescriptor),
        extensions: { prf: {} },
      },
    }),
  )
  const response = credential.response as AuthenticatorAttestationResponse
  return {
    id: credential.id,
    clientData: encode(response.clientDataJSON),
    attestationObject: encode(response.attestationObject),
    transports: response.getTransports(),
  }
}

/** Asks the browser to sign the server's challenge with one of the passkeys it names. */
export async function signWithPasskey(options: object): Promise<SignedChallenge> {
  return toSigned(await ask(() => get(options)))
}

function get(options: object, extensions?: AuthenticationExtensionsClientInputs): Promise<Credential | null> {
  const { challenge, allowCredentials, ...rest } = options as PublicKeyCredentialRequestOptionsJSON
  return navigator.credentials.get({
    publicKey: {
      ...(rest as Pick<PublicKeyCredentialRequestOptions, 'rpId'>),
      challenge: decode(challenge),
      allowCredentials: (allowCredentials ?? []).map(toDescriptor),
      ...(extensions ? { extensions } : {}),
    },
  })
}

function toSigned(credential: PublicKeyCredential): SignedChallenge {
  const response = credential.response as AuthenticatorAssertionResponse
  return {
    id: credential.id,
    clientData: encode(response.clientDataJSON),
    authenticatorData: encode(response.authenticatorData),
    signature: encode(response.signature),
    userHandle: response.userHandle?.byteLength ? encode(response.userHandle) : null,
  }
}

/** Signs the server's challenge and derives a secret from the input, in one prompt. */
export async function signWithPrf(options: object, input: Bytes): Promise<{ signed: SignedChallenge; secret: Bytes }> {
  const credential = await ask(() => get(options, { prf: { eval: { first: input } } }))
  const first = credential.getClientExtensionResults().prf?.results?.first
  if (!first) throw new PasskeyError('unsupported')
  return { signed: toSigned(credential), secret: new Uint8Array(first as ArrayBuffer) }
}

/** The secret that one of the passkeys derives from the input. It is used here alone, so nobody checks the signature. */
export async function evaluatePrf(
  passkeys: readonly { credentialId: string; transports: string[] }[],
  input: Bytes,
): Promise<{ credentialId: string; secret: Bytes }> {
  const credential = await ask(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: randomBytes(32),
        allowCredentials: passkeys.map(({ credentialId, transports }) =>
          toDescriptor({ type: 'public-key', id: credentialId, transports }),
        ),
        userVerification: 'required',
        extensions: { prf: { eval: { first: input } } },
      },
    }),
  )
  const first = credential.getClientExtensionResults().prf?.results?.first
  if (!first) throw new PasskeyError('unsupported')
  return { credentialId: credential.id, secret: new Uint8Array(first as ArrayBuffer) }
}

async function ask(prompt: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await prompt()
    if (credential) return credential as PublicKeyCredential
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'InvalidStateError') throw new PasskeyError('exists')
    if (name === 'SecurityError' || name === 'NotSupportedError') throw new PasskeyError('unsupported')
    if (name !== 'NotAllowedError' && name !== 'AbortError') throw error
  }
  throw new PasskeyError('cancelled')
}

function toDescriptor({ id, transports }: PublicKeyCredentialDescriptorJSON): PublicKeyCredentialDescriptor {
  return {
    type: 'public-key',
    id: decode(id),
    ...(transports ? { transports: transports as AuthenticatorTransport[] } : {}),
  }
}

function decode(text: string): Bytes {
  const bytes = fromBase64url(text)
  if (!bytes) throw new RangeError('Expected base64url.')
  return bytes
}

function encode(buffer: ArrayBuffer): string {
  return toBase64url(new Uint8Array(buffer))
}
