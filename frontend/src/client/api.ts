import type { components, paths } from './types.generated'

export type Schemas = components['schemas']

const HEADERS = { 'X-Tessera-Page': '1' }

export class CallError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

type CallPath<M extends string> = keyof { [P in keyof paths as paths[P] extends Record<M, object> ? P : never]: P }
type AnswerOf<M extends string, P extends keyof paths> =
  paths[P] extends Record<M, { responses: { 200: { content: { 'application/json': infer T } } } }> ? T : never

/** Asks the program on this computer. */
export async function get<P extends CallPath<'get'>>(
  path: P,
  query: Record<string, string> = {},
): Promise<AnswerOf<'get', P>> {
  const parameters = new URLSearchParams(query)
  return read(await fetch(`/api${path}${parameters.size ? `?${parameters.toString()}` : ''}`, { headers: HEADERS }))
}

/** Tells the program on this computer what to do. */
export async function post<P extends CallPath<'post'>>(path: P, body?: object): Promise<AnswerOf<'post', P>> {
  return read(
    await fetch(`/api${path}`, {
      method: 'POST',
      headers: body ? { ...HEADERS, 'Content-Type': 'application/json' } : HEADERS,
      ...(body ? { body: JSON.stringify(body) } : {}),
    }),
  )
}

export async function sendFile(space: string, path: string, file: File): Promise<void> {
  const query = new URLSearchParams({ space, path, modified: String(file.lastModified) })
  await read(
    await fetch(`/api/uploads?${query.toString()}`, {
      method: 'PUT',
      headers: HEADERS,
      body: file,
    }),
  )
}

async function read<T>(response: Response): Promise<T> {
  const answer = (await response.json()) as T & { code?: string; message?: string }
  if (response.ok) return answer
  throw new CallError(answer.code ?? 'failed', answer.message ?? '')
}
