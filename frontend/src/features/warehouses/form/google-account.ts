import type { WarehouseForm } from './warehouse-form'

const names = {
  client_email: 'clientEmail',
  client_id: 'clientId',
  project_id: 'projectId',
  private_key_id: 'privateKeyId',
  private_key: 'privateKey',
  client_x509_cert_url: 'cert',
} as const

export type GoogleAccount = Partial<Pick<WarehouseForm, (typeof names)[keyof typeof names]>>

/** What the file says that Google gives out for a service account; null when the text is no such file. */
export function readGoogleAccount(text: string): GoogleAccount | null {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof file !== 'object' || file === null) return null
  const given = file as Record<string, unknown>
  const found = Object.entries(names).flatMap(([name, field]) => {
    const value = given[name]
    return typeof value === 'string' && value !== '' ? [[field, value] as const] : []
  })
  return found.length > 0 ? Object.fromEntries(found) : null
}
