import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { CodeBlock } from '@/components/CodeBlock'
import { Dialog, DialogActions, DialogContent } from '@/components/dialog/Dialog'
import { CheckField, Field } from '@/components/forms/Field'
import { Form } from '@/components/forms/Form'
import { FormActions } from '@/components/forms/FormActions'
import { FormError, Lead, Pair, Stack } from '@/components/forms/layout'
import { ProgressBar } from '@/components/ProgressBar'
import { Skeleton } from '@/components/Skeleton'
import { formatBytes, formatDateTime } from '@/i18n/format'
import { get, post, type Schemas } from '../api'
import { usePageState } from '../client-state'
import type { FileRow } from '../files/use-rows'
import { useCall, useErrorText } from '../use-call'
import { Name } from '../Name'
import { isBetween, NumberField } from './NumberField'

type Props = { space: string; rows: FileRow[]; onClose: () => void }
type Made = Schemas['ShareMade'] & { password: string | null; downloads: number }

export function ShareDialog({ space, rows, onClose }: Props) {
  const { t } = useTranslation('client')
  const textOf = useErrorText()
  const [made, setMade] = useState<Made | null>(null)
  // A new password is proposed each time.
  const { data, error } = useQuery({ queryKey: ['share-rules'], queryFn: () => get('/shares/rules'), gcTime: 0 })
  if (made) return <MadeDialog made={made} onClose={onClose} />
  if (data?.isAllowed) {
    return <NewDialog space={space} rows={rows} rules={data} onClose={onClose} onMade={setMade} />
  }
  return (
    <Dialog title={t('share.title', { count: rows.length })} onClose={onClose}>
      <DialogContent>
        {error ? <FormError>{textOf(error)}</FormError> : null}
        {data ? <Lead>{t('share.forbidden')}</Lead> : null}
        {!data && !error ? <Skeleton label={t('share.loading')} heights={[44, 44]} /> : null}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('share.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}

type NewProps = Props & { rules: Schemas['ShareRules']; onMade: (made: Made) => void }

function NewDialog({ space, rows, rules, onClose, onMade }: NewProps) {
  const { t } = useTranslation('client')
  const { sharing } = usePageState()
  const { run, isPending, error } = useCall()
  const [days, setDays] = useState(String(Math.min(7, rules.maxDays)))
  const [downloads, setDownloads] = useState('5')
  const [hasPassword, setHasPassword] = useState(false)
  const [password, setPassword] = useState(rules.password)
  const isValid =
    isBetween(days, rules.maxDays) && isBetween(downloads, rules.maxDownloads) && (!hasPassword || password !== '')

  async function create() {
    const chosen = { days: Number(days), downloads: Number(downloads), password: hasPassword ? password : null }
    const made = await post('/shares', { space, paths: rows.map((row) => row.path), ...chosen })
    onMade({ ...made, password: chosen.password, downloads: chosen.downloads })
  }

  return (
    <Dialog title={t('share.title', { count: rows.length })} onClose={isPending ? undefined : onClose}>
      <DialogContent>
        <Form
          onSubmit={() => {
            if (isValid && !isPending) void run(create)
          }}
        >
          <Lead>{t('share.lead')}</Lead>
          <Pair>
            <NumberField
              label={t('share.days')}
              hint={t('share.daysHint', { count: rules.maxDays })}
              value={days}
              most={rules.maxDays}
              onChange={setDays}
            />
            <NumberField
              label={t('share.downloads')}
              hint={t('share.downloadsHint')}
              value={downloads}
              most={rules.maxDownloads}
              onChange={setDownloads}
            />
          </Pair>
          <CheckField
            label={t('share.protect')}
            checked={hasPassword}
            onChange={({ target }) => setHasPassword(target.checked)}
          />
          {hasPassword ? (
            <Field
              label={t('share.password')}
              hint={t('share.passwordHint')}
              dir="ltr"
              autoComplete="off"
              spellCheck={false}
              maxLength={1000}
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          ) : null}
          {isPending ? (
            <Stack>
              <ProgressBar
                label={t('share.making')}
                value={sharing?.size ? Math.round((sharing.done / sharing.size) * 100) : undefined}
              />
              <Button variant="text" onClick={() => void post('/shares/cancel')}>
                {t('share.stop')}
              </Button>
            </Stack>
          ) : null}
          {error ? <FormError takesFocus={false}>{error.text}</FormError> : null}
          <FormActions
            submitLabel={t('share.create')}
            cancelLabel={t('common:actions.cancel')}
            onCancel={onClose}
            pending={isPending}
            disabled={!isValid}
          />
        </Form>
      </DialogContent>
    </Dialog>
  )
}

/** The link and the password are shown this once. */
function MadeDialog({ made, onClose }: { made: Made; onClose: () => void }) {
  const { t } = useTranslation('client')
  const facts = { count: made.files, size: formatBytes(made.bytes), date: formatDateTime(made.expires) }
  return (
    <Dialog title={t('share.made')} onClose={onClose} closesOnOutsideClick={false}>
      <DialogContent>
        <Stack>
          <Lead>{t('share.madeText', facts)}</Lead>
          <CodeBlock text={made.link} caption={t('share.link')} copyLabel={t('share.copyLink')} />
          {made.password === null ? null : (
            <>
              <CodeBlock text={made.password} caption={t('share.password')} copyLabel={t('share.copyPassword')} />
              <p className="t-soft">{t('share.apart')}</p>
            </>
          )}
          {made.leftOut.length > 0 ? (
            <div>
              <p className="t-soft">{t('share.leftOut')}</p>
              <ul className="t-list">
                {made.leftOut.slice(0, 20).map((path) => (
                  <li key={path}>
                    <Name>{path}</Name>
                  </li>
                ))}
              </ul>
            </div>
          ) : null}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('share.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
