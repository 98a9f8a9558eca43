import { azureRole, driveScope, dropboxScopes, googleCommands, s3Policy, type Values } from './snippets'

export type Provider = {
  /** Also the fragment of its address and its key in the texts. */
  id: string
  name: string
  console: { name: string; url: string }
  /** Fields of the warehouse form, in its order. */
  fields: readonly string[]
  /** Shown before everything else. */
  warns?: boolean
  /** The snippet's placeholders, with their initial values. */
  values: Values
  snippet: (values: Values) => string
}

export const providers: readonly Provider[] = [
  {
    id: 'google-drive',
    name: 'Google Drive',
    console: { name: 'Google Cloud console', url: 'https://console.cloud.google.com/' },
    fields: ['clientId', 'clientSecret', 'folderId'],
    warns: true,
    values: {},
    snippet: driveScope,
  },
  {
    id: 'dropbox',
    name: 'Dropbox',
    console: { name: 'Dropbox App Console', url: 'https://www.dropbox.com/developers/apps' },
    fields: ['appKey', 'appSecret', 'refreshToken', 'accessToken', 'path'],
    warns: true,
    values: {},
    snippet: dropboxScopes,
  },
  {
    id: 'aws-s3',
    name: 'AWS S3',
    console: { name: 'AWS console', url: 'https://console.aws.amazon.com/s3/' },
    fields: ['bucketName', 'region', 'accountKey', 'secret', 'path'],
    values: { bucket: 'your-bucket', path: 'tessera' },
    snippet: s3Policy,
  },
  {
    id: 'azure',
    name: 'Azure',
    console: { name: 'Azure portal', url: 'https://portal.azure.com/' },
    fields: ['applicationName', 'path', 'connectionString'],
    values: { subscription: '00000000-0000-0000-0000-000000000000', group: 'your-resource-group' },
    snippet: azureRole,
  },
  {
    id: 'google-cloud',
    name: 'Google Cloud',
    console: { name: 'Google Cloud console', url: 'https://console.cloud.google.com/storage/browser' },
    fields: ['bucketName', 'path', 'projectId', 'clientEmail', 'clientId', 'privateKeyId', 'privateKey', 'cert'],
    values: { project: 'your-project', bucket: 'your-bucket', path: 'tessera' },
    snippet: googleCommands,
  },
]

/** Sections that are not about one provider, before and after those that are. */
export const before = ['three'] as const
export const after = ['sight'] as const
