export class CallError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

/** Calls the program on this computer. */
export async function call<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  return read<T>(
    await fetch(`/api/${path}`, {
      method,
      headers: { 'X-Tessera-Page': '1', ...(body ? { 'Content-Type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }),
  )
}

export async function sendFile(space: string, path: string, file: File): Promise<void> {
  const query = new URLSearchParams({ space, path, modified: String(file.lastModified) })
  await read(
    await fetch(`/api/uploads?${query.toString()}`, {
      method: 'PUT',
      headers: { 'X-Tessera-Page': '1' },
      body: file,
    }),
  )
}

async function read<T>(response: Response): Promise<T> {
  const answer = (await response.json()) as T & { code?: string; message?: string }
  if (response.ok) return answer
  throw new CallError(answer.code ?? 'failed', answer.message ?? '')
}
