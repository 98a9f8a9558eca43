import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { i18n } from '@/i18n/i18n'
import { LANGUAGES } from '@/i18n/languages'
import { providers } from '../faq/providers'
import { azureRole, googleCommands, s3Policy } from '../faq/snippets'
import FaqPage from '../FaqPage'
import { renderIn } from './in-language'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('snippets', () => {
  it('keep S3 to one path of one bucket', () => {
    const policy = JSON.parse(s3Policy({ bucket: 'acme-tiles', path: '/tessera/' })) as {
      Statement: { Action: string | string[]; Resource: string }[]
    }
    expect(policy.Statement.map(({ Resource }) => Resource)).toEqual([
      'arn:aws:s3:::acme-tiles/tessera/*',
      'arn:aws:s3:::acme-tiles',
    ])
    expect(policy.Statement.flatMap(({ Action }) => Action).sort()).toEqual([
      's3:DeleteObject',
      's3:GetObject',
      's3:ListBucket',
      's3:PutObject',
    ])
  })

  it('take the whole bucket without a path', () => {
    expect(s3Policy({ bucket: 'b', path: '' })).toContain('"arn:aws:s3:::b/*"')
    expect(googleCommands({ project: 'p', bucket: 'b', path: '' })).not.toContain('--condition')
  })

  it('grant Google four permissions on the bucket, under a condition', () => {
    const commands = googleCommands({ project: 'acme', bucket: 'tiles', path: 'tessera' })
    expect(commands).toContain(
      '--permissions=storage.objects.create,storage.objects.delete,storage.objects.get,storage.objects.list',
    )
    expect(commands).toContain('serviceAccount:tessera-warehouse@acme.iam.gserviceaccount.com')
    expect(commands).toContain('projects/_/buckets/tiles/objects/tessera/')
  })

  it('drop what no name may hold', () => {
    expect(googleCommands({ project: 'a"; rm -rf ~', bucket: "b'$(x)", path: 'p' })).not.toMatch(/rm -rf|\$\(|;/)
    expect(azureRole({ subscription: 'id"', group: 'g\n' })).toContain('"/subscriptions/id/resourceGroups/g"')
  })
})

describe.each(LANGUAGES)('the help page in %s', (language) => {
  // Specification: 2.35
  it('has steps, fields and a policy for each provider', async () => {
    await renderIn(language, <FaqPage />)
    for (const { id, name, fields } of providers) {
      const section = document.getElementById(id)
      if (!section) throw new Error(`no section ${id}`)
      expect(within(section).getByRole('heading', { level: 2, name })).toBeInTheDocument()
      expect(section.querySelectorAll('ol > li').length).toBeGreaterThan(3)
      expect(section.querySelectorAll('dt')).toHaveLength(fields.length)
      expect(section.querySelector('pre')?.textContent).toBeTruthy()
      // A key where words should be would show its dots.
      expect(section.textContent).not.toMatch(/(providers|labels|values)\./)
    }
    for (const { hash } of screen
      .getAllByRole('link')
      .filter((link) => link.getAttribute('href')?.startsWith('#')) as HTMLAnchorElement[]) {
      expect(document.getElementById(hash.slice(1))).not.toBeNull()
    }
  })
})

describe('labels', () => {
  it.each(LANGUAGES)('are those of the form in %s', (language) => {
    const ours = i18n.getResource(language, 'faq', 'labels') as Record<string, string>
    const form = i18n.getResource(language, 'warehouses', 'fields') as Record<string, string>
    // Google Drive's two are on no form yet.
    const shared = Object.entries(ours).filter(([name]) => name !== 'clientSecret' && name !== 'folderId')
    expect(form).toMatchObject(Object.fromEntries(shared))
  })
})

describe('the help page', () => {
  it('says first that Google Drive cannot be connected yet', async () => {
    await renderIn('en', <FaqPage />)
    const drive = screen.getByRole('region', { name: 'Google Drive' })
    expect(within(drive).getByRole('note')).toHaveTextContent('cannot be connected yet')
  })

  it('fills the policy with what is typed in and copies it', async () => {
    const user = userEvent.setup()
    const write = vi.spyOn(navigator.clipboard, 'writeText')
    await renderIn('en', <FaqPage />)
    const s3 = screen.getByRole('region', { name: 'AWS S3' })
    const bucket = within(s3).getByLabelText('Bucket')
    await user.clear(bucket)
    await user.type(bucket, 'acme')
    expect(s3.querySelector('pre')).toHaveTextContent('arn:aws:s3:::acme/tessera/*')
    await user.click(within(s3).getByRole('button', { name: 'Copy: IAM policy, AWS S3' }))
    expect(write).toHaveBeenCalledWith(s3Policy({ bucket: 'acme', path: 'tessera' }))
    expect(await within(s3).findByText('Copied')).toBeInTheDocument()
  })

  it('says when the browser does not let it copy', async () => {
    const user = userEvent.setup()
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'))
    await renderIn('en', <FaqPage />)
    const dropbox = screen.getByRole('region', { name: 'Dropbox' })
    await user.click(within(dropbox).getByRole('button', { name: /^Copy/ }))
    expect(await within(dropbox).findByText(/Could not copy/)).toBeInTheDocument()
  })
})
