import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Toasts } from '@/components/Toasts'
import { changeLanguage, type Language } from '@/i18n/i18n'
import { LANGUAGES } from '@/i18n/languages'
import { renderWithProviders } from '@/testing/render'
import { providers } from '@/testing/providers'
import { ok, serve } from '@/testing/server'
import { fillIn } from '../faq/fill-in'
import FaqPage from '../FaqPage'

async function openHelp(language: Language): Promise<void> {
  await act(() => changeLanguage(language))
  renderWithProviders(
    <>
      <FaqPage />
      <Toasts />
    </>,
  )
}

beforeEach(() => {
  serve({ 'GET /api/providers': () => ok(providers) })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('snippets', () => {
  it('hold the names that were typed in', () => {
    expect(fillIn('gs://{bucket}/{path/}* by {project}', { bucket: 'b', path: '/a/b/', project: 'p' })).toBe(
      'gs://b/a/b/* by p',
    )
  })

  it('leave out what needs a path where there is none', () => {
    expect(fillIn('{bucket}/{path/}*\n--condition={path}\nend', { bucket: 'b', path: '/' })).toBe('b/*\nend')
  })

  it('drop what no name may hold', () => {
    expect(fillIn('"{project}" {bucket}', { project: 'a"; rm -rf ~', bucket: "b'$(x)" })).toBe('"arm-rf" bx')
  })
})

describe.each(LANGUAGES)('the help page in %s', (language) => {
  // Specification: 2.35
  it('has steps, fields and a policy for each provider', async () => {
    await openHelp(language)
    for (const { section: id, name, fields, guide } of providers) {
      const section = await screen.findByRole('region', { name })
      expect(section).toHaveAttribute('id', id)
      expect(within(section).getByRole('heading', { level: 2, name })).toBeInTheDocument()
      expect(section.querySelectorAll('ol > li')).toHaveLength(guide.steps.length)
      expect(section.querySelectorAll('dt')).toHaveLength(fields.length)
      expect(section.querySelector('pre')?.textContent).toBeTruthy()
    }
    for (const { hash } of screen
      .getAllByRole('link')
      .filter((link) => link.getAttribute('href')?.startsWith('#')) as HTMLAnchorElement[]) {
      expect(document.getElementById(hash.slice(1))).not.toBeNull()
    }
  })
})

describe('the help page', () => {
  it('says first that Google Drive cannot be connected yet', async () => {
    await openHelp('en')
    const drive = await screen.findByRole('region', { name: 'Google Drive' })
    expect(within(drive).getByRole('note')).toHaveTextContent('cannot be connected yet')
  })

  it('fills the policy with what is typed in and copies it', async () => {
    const user = userEvent.setup()
    const write = vi.spyOn(navigator.clipboard, 'writeText')
    await openHelp('en')
    const s3 = await screen.findByRole('region', { name: 'AWS S3' })
    const bucket = within(s3).getByLabelText('Bucket')
    await user.clear(bucket)
    await user.type(bucket, 'acme')
    expect(s3.querySelector('pre')).toHaveTextContent('arn:aws:s3:::acme/tessera/*')
    await user.click(within(s3).getByRole('button', { name: 'Copy: Policy, AWS S3' }))
    expect(write).toHaveBeenCalledWith('{\n  "Resource": "arn:aws:s3:::acme/tessera/*"\n}')
    expect(await screen.findByText('Copied')).toBeInTheDocument()
  })

  it('says when the browser does not let it copy', async () => {
    const user = userEvent.setup()
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'))
    await openHelp('en')
    const dropbox = await screen.findByRole('region', { name: 'Dropbox' })
    await user.click(within(dropbox).getByRole('button', { name: /^Copy/ }))
    expect(await screen.findByText(/Could not copy/)).toBeInTheDocument()
  })
})

it('says how browsers are let in, with rules to copy where a cloud has some', async () => {
  const rules = '[{"AllowedMethods": ["GET"]}]'
  const [first, ...others] = providers
  serve({ 'GET /api/providers': () => ok([{ ...first!, corsRules: rules }, ...others]) })
  await openHelp('en')
  const section = await screen.findByRole('region', { name: first!.name })
  expect(section).toHaveTextContent('Share links in browsers')
  expect(section).toHaveTextContent(rules)
  const other = screen.getByRole('region', { name: others.find(({ isConnectable }) => isConnectable)!.name })
  expect(other).toHaveTextContent('Share links in browsers')
  expect(other).not.toHaveTextContent('AllowedMethods')
})
