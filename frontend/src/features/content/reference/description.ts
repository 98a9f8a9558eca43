import { normalizeText } from '@/lib/normalize-text'

/** The parts of an OpenAPI description that the reference shows. */
export type Description = {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { content: Content; required?: boolean }
  responses: Record<string, { description: string; content?: Content }>
  'x-access'?: { roles: string[]; needs: string[]; scope?: string }
}

export type Content = Record<string, { schema?: Schema }>

export type Parameter = {
  name: string
  in: 'query' | 'path' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}

export type Schema = {
  $ref?: string
  type?: string
  format?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

export type Schemas = Description['components']['schemas']

export type Call = Operation & { method: string; path: string }

export type Group = { name: string; calls: Call[] }

/** The calls by feature, in the description's order. */
export function groupsOf({ paths }: Description): Group[] {
  const groups = new Map<string, Call[]>()
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const name = operation.tags[0] ?? ''
      groups.set(name, [...(groups.get(name) ?? []), { ...operation, method: method.toUpperCase(), path }])
    }
  }
  return [...groups].map(([name, calls]) => ({ name, calls })).sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

/** Keeps the calls that contain every word of the search in their method, path, title or feature. */
export function search(groups: Group[], text: string, labelOf: (name: string) => string): Group[] {
  const words = normalizeText(text).split(/\s+/).filter(Boolean)
  return groups
    .map(({ name, calls }) => {
      const matches = ({ method, path, summary, description = '' }: Call) => {
        const all = normalizeText([method, path, summary, description, name, labelOf(name)].join(' '))
        return words.every((word) => all.includes(word))
      }
      return { name, calls: calls.filter(matches) }
    })
    .filter(({ calls }) => calls.length > 0)
}

export function resolve(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name ? (schemas[name] ?? {}) : schema
}

/** The only alternative besides null, resolved; a schema without alternatives as it is. */
export function withoutNull(schema: Schema, schemas: Schemas): { schema: Schema; nullable: boolean } {
  const options = schema.anyOf?.map((option) => resolve(option, schemas)) ?? []
  const [only, ...others] = options.filter(({ type }) => type !== 'null')
  if (!only || others.length > 0) return { schema: resolve(schema, schemas), nullable: false }
  const { description, default: given } = schema
  return {
    schema: { ...only, ...(description && { description }), ...(given !== undefined && { default: given }) },
    nullable: true,
  }
}
