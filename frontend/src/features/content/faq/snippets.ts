/** What a snippet is filled with. Typed in by hand, so only what names may hold is kept. */
export type Values = Record<string, string>

const cleaned = (text: string) => text.replace(/[^A-Za-z0-9._/-]/g, '')

function folder(path: string): string {
  return cleaned(path).split('/').filter(Boolean).join('/')
}

const json = (value: object) => JSON.stringify(value, null, 2)

export function s3Policy({ bucket = '', path = '' }: Values): string {
  const name = cleaned(bucket)
  const inside = folder(path)
  return json({
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'TesseraObjects',
        Effect: 'Allow',
        Action: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
        Resource: `arn:aws:s3:::${name}/${inside ? `${inside}/` : ''}*`,
      },
      { Sid: 'TesseraBucket', Effect: 'Allow', Action: 's3:ListBucket', Resource: `arn:aws:s3:::${name}` },
    ],
  })
}

export function azureRole({ subscription = '', group = '' }: Values): string {
  return json({
    Name: 'Tessera key reader',
    IsCustom: true,
    Description: 'Reads the access keys of storage accounts in one resource group, and nothing else.',
    Actions: ['Microsoft.Storage/storageAccounts/read', 'Microsoft.Storage/storageAccounts/listKeys/action'],
    NotActions: [],
    DataActions: [],
    NotDataActions: [],
    AssignableScopes: [`/subscriptions/${cleaned(subscription)}/resourceGroups/${cleaned(group)}`],
  })
}

export function googleCommands({ project = '', bucket = '', path = '' }: Values): string {
  const [id, name, inside] = [cleaned(project), cleaned(bucket), folder(path)]
  const permissions = ['create', 'delete', 'get', 'list'].map((verb) => `storage.objects.${verb}`).join(',')
  const within = `resource.name.startsWith("projects/_/buckets/${name}/objects/${inside}/")`
  const condition = `title=tessera-path,expression=resource.type == "storage.googleapis.com/Bucket" || ${within}`
  const binding = [
    `gcloud storage buckets add-iam-policy-binding gs://${name}`,
    `  --member="serviceAccount:tessera-warehouse@${id}.iam.gserviceaccount.com"`,
    `  --role="projects/${id}/roles/tesseraWarehouse"`,
    ...(inside ? [`  --condition='${condition}'`] : []),
  ]
  const role = [
    `gcloud iam roles create tesseraWarehouse --project=${id}`,
    '  --title="Tessera warehouse"',
    `  --permissions=${permissions}`,
  ]
  return [role, binding].map((lines) => lines.join(' \\\n')).join('\n\n')
}

export const dropboxScopes = () => ['files.metadata.read', 'files.content.read', 'files.content.write'].join('\n')

export const driveScope = () => 'https://www.googleapis.com/auth/drive.file'
