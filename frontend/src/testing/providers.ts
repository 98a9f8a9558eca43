import type { components } from '@/api/types.generated'

type Provider = components['schemas']['ProviderRead']
type Field = Provider['fields'][number]

function field(name: string, label: string, change: Partial<Field> = {}): Field {
  return {
    name,
    label,
    hint: null,
    help: `Where ${label} is found.`,
    required: true,
    secret: false,
    multiLine: false,
    wide: false,
    suggestions: [],
    keyFileName: '',
    ...change,
  }
}

export function aProvider(change: Partial<Provider> & Pick<Provider, 'type' | 'name' | 'fields'>): Provider {
  return {
    section: change.name.toLowerCase().replaceAll(' ', '-'),
    isConnectable: true,
    searchWords: '',
    alternatives: [],
    keyFile: null,
    consoleName: `${change.name} console`,
    consoleUrl: 'https://console.example/',
    guide: {
      warning: '',
      steps: ['Open the **console**.', 'Create a bucket.', 'Create a key.', 'Copy `key`.'],
      snippet: 'Policy',
      permissions: 'It allows little.',
      notes: [],
    },
    snippet: 'files.content.read',
    browsers: 'Paste these rules.',
    corsRules: '',
    snippetValues: [],
    ...change,
  }
}

/** In the shape of the service's answer, with the fields and labels of its own descriptions. */
export const providers: readonly Provider[] = [
  aProvider({
    type: 3,
    name: 'AWS S3',
    fields: [
      field('bucketName', 'Bucket Name'),
      field('region', 'Region', { suggestions: ['eu-central-1', 'eu-west-1'] }),
      field('accountKey', 'Account Key', { secret: true, hint: 'AWS calls this “Access key ID”.' }),
      field('secret', 'Secret', { secret: true, hint: 'AWS calls this “Secret access key”.' }),
      field('path', 'Path'),
    ],
    snippet: '{\n  "Resource": "arn:aws:s3:::{bucket}/{path/}*"\n}',
    snippetValues: [
      { name: 'bucket', label: 'Bucket', initial: 'your-bucket' },
      { name: 'path', label: 'Path', initial: 'tessera' },
    ],
  }),
  aProvider({
    type: 4,
    name: 'Azure',
    fields: [
      field('applicationName', 'Application Name'),
      field('path', 'Path'),
      field('accountKey', 'Connection String', { secret: true, wide: true }),
    ],
  }),
  aProvider({
    type: 5,
    name: 'Google Cloud',
    fields: [
      field('bucketName', 'Bucket Name'),
      field('path', 'Path', { required: false }),
      field('projectId', 'Project Id', { keyFileName: 'project_id' }),
      field('clientEmail', 'Client Email', { keyFileName: 'client_email' }),
      field('clientId', 'Client Id', { keyFileName: 'client_id' }),
      field('privateKeyId', 'Private Key Id', { keyFileName: 'private_key_id' }),
      field('privateKey', 'Private Key', { secret: true, multiLine: true, wide: true, keyFileName: 'private_key' }),
      field('cert', 'Client Cert URL', { wide: true, keyFileName: 'client_x509_cert_url' }),
    ],
    keyFile: {
      label: 'Service account JSON (optional)',
      hint: 'Paste the key file.',
      unreadable: 'This is not a service account key file.',
      placeholder: '{ "type": "service_account", … }',
    },
  }),
  aProvider({
    type: 1,
    name: 'Dropbox',
    searchWords: 'files',
    fields: [
      field('appKey', 'App Key'),
      field('appSecret', 'App Secret', { secret: true }),
      field('refreshToken', 'Refresh Token', { secret: true, wide: true }),
      field('accessToken', 'Access Token', { secret: true, wide: true }),
      field('path', 'Path'),
    ],
    alternatives: [['appKey', 'appSecret', 'refreshToken'], ['accessToken']],
  }),
  aProvider({
    type: 2,
    name: 'Google Drive',
    isConnectable: false,
    fields: [field('clientId', 'Client Id'), field('folderId', 'Folder Id')],
    guide: {
      warning: 'Google Drive cannot be connected yet.',
      steps: ['Wait.'],
      snippet: 'OAuth scope',
      permissions: 'It covers little.',
      notes: ['Do not add more.'],
    },
  }),
]

/** One that this version of the console has never heard of. */
export const inventedProvider = aProvider({
  type: 77,
  name: 'Attic Disks',
  searchWords: 'attic disks',
  fields: [
    field('shelf', 'Shelf', { hint: 'The number on the door.', suggestions: ['north', 'south'] }),
    field('padlock', 'Padlock', { secret: true }),
    field('ticket', 'Ticket', { secret: true, multiLine: true, wide: true, keyFileName: 'ticket_text' }),
    field('path', 'Path', { required: false }),
  ],
  keyFile: { label: 'Ticket file', hint: 'Paste it.', unreadable: 'This is no ticket.', placeholder: '{ … }' },
})
