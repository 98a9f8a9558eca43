import { resolve, withoutNull, type Schema, type Schemas } from './description'

export type FieldRow = {
  /** Dotted, with [] after a list: `user.phones[].number`. */
  name: string
  type: string
  nullable: boolean
  required: boolean
  schema: Schema
}

const DEEPEST = 4

/** Every field of a body, those of nested objects after the one that holds them. */
export function fieldsOf(schema: Schema, schemas: Schemas, prefix = '', depth = 0): FieldRow[] {
  const object = resolve(schema, schemas)
  if (object.anyOf) return unique(object.anyOf.flatMap((option) => fieldsOf(option, schemas, prefix, depth)))
  if (object.type === 'array' && object.items) return fieldsOf(object.items, schemas, `${prefix}[]`, depth)
  return Object.entries(object.properties ?? {}).flatMap(([key, property]) => {
    const { schema: found, nullable } = withoutNull(property, schemas)
    const name = prefix ? `${prefix}.${key}` : key
    const required = object.required?.includes(key) ?? false
    const row = { name, type: typeOf(found, schemas), nullable, required, schema: found }
    return depth < DEEPEST ? [row, ...fieldsOf(found, schemas, name, depth + 1)] : [row]
  })
}

/** Alternatives share most fields: each is listed once. */
function unique(rows: FieldRow[]): FieldRow[] {
  return [...new Map(rows.map((row) => [row.name, row])).values()]
}

/** The type's name as programmers write it: `string (uuid)`, `integer[]`. */
export function typeOf(schema: Schema, schemas: Schemas): string {
  const { type, format, items, anyOf } = resolve(schema, schemas)
  if (anyOf) return [...new Set(anyOf.map((option) => typeOf(option, schemas)))].join(' | ')
  if (type === 'array') return `${items ? typeOf(items, schemas) : 'any'}[]`
  if (!type) return 'any'
  return format ? `${type} (${format})` : type
}
