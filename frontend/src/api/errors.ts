import { i18n } from '@/i18n/i18n'

type Details = { status: number; code: string; message: string; fields?: Record<string, string>; requestId?: string }

/** An answer that is not a success, in the shape every endpoint gives it. Status 0: there was no answer. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: Record<string, string> | undefined
  readonly requestId: string | undefined

  constructor({ status, code, message, fields, requestId }: Details) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.fields = fields
    this.requestId = requestId
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

export async function toApiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  const told = isRecord(body) ? body : {}
  const fields = isRecord(told.fields)
    ? Object.fromEntries(Object.entries(told.fields).map(([name, text]) => [name, String(text)]))
    : undefined
  return new ApiError({
    status: response.status,
    code: typeof told.code === 'string' ? told.code : 'unknown',
    message: typeof told.message === 'string' ? told.message : '',
    fields,
    requestId: response.headers.get('X-Request-Id') ?? undefined,
  })
}

/** The server's own sentence where there is one; else the fallback of the action that failed. */
export function errorMessage(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message ? error.message : fallback
}

/** Why something could not be loaded, for an error state. */
export function causeOf(error: unknown): string {
  const network = error instanceof ApiError && error.status === 0
  return errorMessage(error, i18n.t(network ? 'errors:network' : 'errors:unknown'))
}
