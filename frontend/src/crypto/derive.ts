import { fromBase64url, randomBytes, saltBytes, toBase64url, toUtf8, type Bytes } from './bytes'
import type { DerivedKeys } from './derive-here'
import type { DeriveAnswer, DeriveRequest } from './derive.worker'
import { DerivationUnavailableError, WeakSaltError } from './errors'
import { cryptoSelfTest, derivationSelfTest } from './self-test'

export type { DerivedKeys }

let proof: Promise<void> | null = null

/**
 * The login secret, and the key that wraps the user's key. Takes a good part of a second.
 * The salt is base64url, as the server hands it out.
 */
export async function deriveKeys(password: string, salt: string): Promise<DerivedKeys> {
  if (isPattern(saltFrom(salt))) throw new WeakSaltError()
  await proveDerivation()
  return deriveInWorker(password, salt)
}

/**
 * Derives a known answer, once a page. `deriveKeys` waits for it; a page with a password field
 * may call it when it opens, so that the result is there when the button is pressed.
 */
export function proveDerivation(): Promise<void> {
  proof ??= cryptoSelfTest()
    .then(() => derivationSelfTest(deriveInWorker))
    .catch((error: unknown) => {
      // A worker that could not be loaded may be loaded next time; a wrong answer stays wrong.
      if (error instanceof DerivationUnavailableError) proof = null
      throw error
    })
  return proof
}

export function newSalt(): string {
  return toBase64url(randomBytes(saltBytes))
}

function deriveInWorker(password: string, salt: string): Promise<DerivedKeys> {
  const request: DeriveRequest = { password: passwordBytes(password), salt: saltFrom(salt) }
  const worker = new Worker(new URL('./derive.worker.ts', import.meta.url), { type: 'module' })
  return new Promise<DerivedKeys>((resolve, reject) => {
    const fail = (): void => reject(new DerivationUnavailableError())
    worker.onmessage = ({ data }: MessageEvent<DeriveAnswer>) => (data ? resolve(data) : fail())
    worker.onmessageerror = fail
    worker.onerror = fail
    // Handed over, not copied: this thread keeps no bytes of the password.
    worker.postMessage(request, [request.password.buffer])
  }).finally(() => worker.terminate())
}

function saltFrom(text: string): DeriveRequest['salt'] {
  const salt = fromBase64url(text)
  if (salt?.length !== saltBytes) throw new RangeError('A salt has 16 bytes in base64url.')
  return salt
}

/** True of a salt that one table of guesses could serve for many users. A random one has more than seven distinct bytes. */
function isPattern(salt: Uint8Array): boolean {
  const half = salt.length / 2
  return new Set(salt).size < half || salt.every((byte, index) => byte === salt[index % half])
}

/** NFKC: the same password typed on another keyboard or system gives the same bytes. */
export function passwordBytes(password: string): Bytes {
  if (password === '') throw new RangeError('The password is empty.')
  return toUtf8(password.normalize('NFKC'))
}
