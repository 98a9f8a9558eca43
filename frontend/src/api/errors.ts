import { i18n } from '@/i18n/i18n'

type Details = {
  status: number
  code: string
  message: string
  fields?: Record<string, string> | undefined
  requestId?: string | undefined
  retryAfter?: number | undefined
  details?: Record<string, unknown> | undefined
}

/** An answer that is not a success, in the shape every endpoint gives it. Status 0: there was no answer. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: Record<string, string> | undefined
  readonly requestId: string | undefined
  /** Seconds until the same call may be tried again, where the server says so. */
  readonly retryAfter: number | undefined
  /** The whole response: some codes come with data, such as the epoch of a passphrase. */
  readonly details: Record<string, unknown>

  constructor({ status, code, message, fields, requestId, retryAfter, details = {} }: Details) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.fields = fields
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.details = details
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function secondsOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined
}

export async function toApiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  const content = isRecord(body) ? body : {}
  const fields = isRecord(content.fields)
    ? Object.fromEntries(Object.entries(content.fields).map(([name, text]) => [name, String(text)]))
    : undefined
  return new ApiError({
    status: response.status,
    code: typeof content.code === 'string' ? content.code : 'unknown',
    message: typeof content.message === 'string' ? content.message : '',
    fields,
    requestId: response.headers.get('X-Request-Id') ?? undefined,
    retryAfter: secondsOf(content.retryAfter) ?? secondsOf(Number(response.headers.get('Retry-After'))),
    details: content,
  })
}

/** A file of this version of the console that cannot be fetched: the network is gone, or a newer version has replaced
 *  the files. */
export function isFileMissing(error: unknown): boolean {
  return error instanceof Error && /dynamically imported|module script|preload CSS/i.test(error.message)
}

/** The server's message, or the fallback; that the page has to be reloaded, if a file of the console is missing. */
export function errorMessage(error: unknown, fallback: string): string {
  if (isFileMissing(error)) return `${fallback}. ${i18n.t('chunk.text')}`
  return error instanceof ApiError && error.message ? error.message : fallback
}

/** Why something could not be loaded, for an error state. */
export function loadErrorMessage(error: unknown): string {
  const network = error instanceof ApiError && error.status === 0
  return errorMessage(error, i18n.t(network ? 'errors:network' : 'errors:unknown'))
}
