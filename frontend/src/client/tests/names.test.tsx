import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { ok, serve } from '@/testing/server'
import { showClient, SPACE } from './show-client'

const NAME = 'invoice\u202efdp.exe'
const SHOWN = 'invoice\\u202efdp.exe'

describe('a name with a direction override', () => {
  it('shows it in the list of files and in the labels of its buttons', async () => {
    const row = { name: NAME, path: NAME, type: 'file', size: 1, modified: 1, files: 0 }
    serve({
      'GET /api/files': () => ok({ rows: [row], offset: 0, total: 1 }),
      'POST /api/protection': () => ok({}),
    })
    showClient('/files')
    const shown = await screen.findByText(SHOWN)
    expect(shown.tagName).toBe('BDI')
    expect(screen.getByRole('button', { name: `Remove ${SHOWN}` })).toBeInTheDocument()
  })

  it('shows it in transfers, with conflicts and what was saved under another name', async () => {
    const transfer = {
      id: 1,
      kind: 'download' as const,
      space: SPACE,
      path: NAME,
      target: `/home/ada/${NAME}`,
      size: 1,
      done: 1,
      state: 'done' as const,
      message: `Conflict: ${NAME}`,
      code: '',
      isSafe: true,
      renamed: [{ path: `aux/${NAME}`, name: 'aux-1234' }],
    }
    showClient('/transfers', { transfers: [transfer] })
    expect(await screen.findByText(SHOWN)).toBeVisible()
    expect(screen.getByText(`/home/ada/${SHOWN}`)).toBeVisible()
    expect(screen.getByText(`aux/${SHOWN} was saved as aux-1234`)).toBeVisible()
    expect(screen.getByText(`Conflict: ${SHOWN}`)).toBeVisible()
    expect(document.body.textContent).not.toContain('\u202e')
  })
})
