import { resolve, withoutNull, type Call, type Parameter, type Schema, type Schemas } from './description'

/** Reads a value out of the JSON on standard input. */
const pick = (path: string) => `python3 -c 'import json, sys; print(json.load(sys.stdin)${path})'`

const LEADER = { email: 'leader@northwind.test', phone: '+12025550101', password: 'mosaic-Tile-2026' }

/** Where a path's id comes from: a call that lists such things, and the way to the first one. */
const sources: Record<string, { call: string; path: string }> = {
  company_id: { call: '/api/companies', path: '["item1"][0]["id"]' },
  key: { call: '/api/invites', path: '["item1"][0]["key"]' },
  session_id: { call: '/api/auth/sessions', path: '[0]["id"]' },
  space_id: { call: '/api/storage/spaces', path: '[0]["id"]' },
  uuid: { call: '/api/users?limit=100', path: '["item1"][-1]["uuid"]' },
  warehouse_id: { call: '/api/all', path: '["item1"][0]["id"]' },
}

/** Values for fields of these names, where any text would be refused. */
const samples: Record<string, unknown> = {
  country: 'US',
  email: LEADER.email,
  emailAddress: LEADER.email,
  email_address: 'new.member@northwind.test',
  firstName: 'Ada',
  lastName: 'Lindqvist',
  language: 'en',
  name: 'Northwind Ltd',
  phoneNumber: LEADER.phone,
  state: 'CA',
  to: LEADER.phone,
  zipCode: '94105',
}

/** A command for the call, with the values that the description requires. */
export function curl(call: Call, schemas: Schemas, origin: string): string {
  const parameters = call.parameters ?? []
  const needed = parameters.filter(({ required }) => required)
  const lines = [
    `curl ${call.method === 'GET' ? '' : `-X ${call.method} `}"${addressOf(call, needed, schemas, origin)}"`,
  ]
  if (call['x-access']) lines.push('-H "Authorization: Bearer $TOKEN"')
  for (const { name } of parameters.filter((parameter) => parameter.in === 'header')) {
    lines.push(`-H "${name}: $${variable(name)}"`)
  }
  const body = call.requestBody?.content['application/json']?.schema
  if (body) lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(sampleOf(body, schemas))}'`)
  return [...idsOf(needed, origin), lines.join(' \\\n  ')].join('\n')
}

function addressOf({ path }: Call, needed: Parameter[], schemas: Schemas, origin: string): string {
  const query = needed
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(sampleOf(schema, schemas, name)))}`)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${variable(name)}`)
  return `${origin}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

/** Lines that look up the ids of the path. */
function idsOf(needed: Parameter[], origin: string): string[] {
  return needed.flatMap((parameter) => {
    const source = parameter.in === 'path' ? sources[parameter.name] : undefined
    if (!source) return []
    const ask = `curl -s "${origin}${source.call}" -H "Authorization: Bearer $TOKEN"`
    return [`${variable(parameter.name)}=$(${ask} | ${pick(source.path)})`]
  })
}

function variable(name: string): string {
  return name.replace(/^X-/, '').replaceAll('-', '_').toUpperCase()
}

/** A value that the schema allows; of objects, the required fields. */
function sampleOf(given: Schema, schemas: Schemas, name = ''): unknown {
  const schema = withoutNull(given, schemas).schema
  if (name in samples) return samples[name]
  if (schema.default !== undefined && schema.default !== null) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], schemas, name)
  switch (schema.type) {
    case 'object':
      return objectSample(schema, schemas)
    case 'array':
      return schema.items ? [sampleOf(schema.items, schemas)] : []
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    default:
      return textSample(schema)
  }
}

function objectSample(schema: Schema, schemas: Schemas): Record<string, unknown> {
  const entries = Object.entries(schema.properties ?? {})
  const required = entries.filter(([key]) => schema.required?.includes(key))
  const shown = required.length > 0 ? required : entries
  return Object.fromEntries(shown.map(([key, property]) => [key, sampleOf(resolve(property, schemas), schemas, key)]))
}

function textSample({ format, minLength = 0 }: Schema): string {
  if (format === 'uuid') return '5b1f8a52-6f0e-4a55-9d0a-0c1f5f3f7f10'
  if (format === 'date-time') return '2026-01-31T09:30:00Z'
  return 'text'.padEnd(minLength, '.')
}

/** The two commands of a login: the first has a code sent, the second exchanges it for a token. */
export function loginCommands(origin: string, sandbox: boolean): [string, string] {
  const post = (path: string, body: string) =>
    `curl -s ${origin}${path} -H 'Content-Type: application/json' \\\n  -d '${body}'`
  const email = sandbox ? LEADER.email : 'you@example.com'
  return [
    [
      // The sandbox runs from the repository, where the command is.
      ...(sandbox ? ['PATH="$PWD/.venv/bin:$PATH"'] : []),
      `EMAIL=${email}`,
      `SALT=$(${post('/api/auth/prelogin', `{"emailAddress": "'$EMAIL'"}`)} | ${pick('["salt"]')})`,
      `SECRET=$(${sandbox ? `echo ${LEADER.password} | ` : ''}tessera derive --salt "$SALT")`,
      post('/api/auth/login-onboard', `{"emailAddress": "'$EMAIL'", "password": "'$SECRET'"}`),
    ].join('\n'),
    [
      sandbox
        ? `CODE=$(curl -s "${origin}/api/sandbox/outbox?to=${encodeURIComponent(LEADER.phone)}" | ${pick('[0]["code"]')})`
        : 'CODE=123456',
      `TOKEN=$(${post('/api/auth/verify-otp', `{"emailAddress": "'$EMAIL'", "password": "'$SECRET'", "otp": "'$CODE'"}`)} | ${pick('["access_token"]')})`,
    ].join('\n'),
  ]
}
