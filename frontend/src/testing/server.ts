import { vi } from 'vitest'

export type Call = { key: string; body: unknown; headers: Headers; url: URL }
type Answer = Response | Promise<Response>
type Handlers = Record<string, (call: Call) => Answer>

/** Answers at the network's edge: `'POST /api/auth/prelogin'` to a function. Remembers every call. */
export function serve(handlers: Handlers): { calls: Call[]; to: (key: string) => Call[]; handlers: Handlers } {
  const calls: Call[] = []
  const fetchMock = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input instanceof Request ? input : new URL(String(input), window.location.href), init)
    const url = new URL(request.url)
    const text = await request.text()
    const key = `${request.method} ${url.pathname}`
    const call = { key, url, headers: request.headers, body: text ? (JSON.parse(text) as unknown) : undefined }
    calls.push(call)
    const handler = handlers[key]
    return handler ? handler(call) : fail(404, 'not_found', `Nothing at ${key}`)
  }
  vi.stubGlobal('fetch', vi.fn(fetchMock))
  return { calls, to: (key) => calls.filter((call) => call.key === key), handlers }
}

export function ok(body?: unknown): Response {
  return body === undefined ? new Response(null, { status: 204 }) : Response.json(body)
}

export function fail(status: number, code: string, message = '', extra: object = {}): Response {
  return Response.json({ code, message, ...extra }, { status })
}

export function codeSent(change: object = {}) {
  return ok({ otpRequired: true, method: 'sms', sentTo: '+1•••••••01', expiresIn: 300, resendIn: 60, ...change })
}
