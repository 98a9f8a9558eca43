import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { CodeBlock } from '@/components/CodeBlock'
import { Dialog, DialogActions, DialogContent } from '@/components/dialog/Dialog'
import { Field, SelectField } from '@/components/forms/Field'
import { FormError, Lead, Pair, Stack } from '@/components/forms/layout'
import { Skeleton } from '@/components/Skeleton'
import { formatDateTime } from '@/i18n/format'
import { get, post, type Schemas } from '../api'
import { usePageState } from '../client-state'
import { FormDialog } from '../FormDialog'
import { isBetween, NumberField } from '../shares/NumberField'
import { useErrorText } from '../use-call'

const MEGABYTE = 1_000_000

type Made = Schemas['RequestMade']
type Props = { onClose: () => void; onMade: () => void }

/** Asks what is wanted, by whom nobody knows, and shows the link. */
export function RequestDialog({ onClose, onMade }: Props) {
  const { t } = useTranslation('client')
  const textOf = useErrorText()
  const [made, setMade] = useState<Made | null>(null)
  const { data, error } = useQuery({ queryKey: ['request-rules'], queryFn: () => get('/requests/rules'), gcTime: 0 })
  if (made) return <MadeDialog made={made} onClose={onClose} />
  if (data?.isAllowed) {
    return (
      <NewDialog
        rules={data}
        onClose={onClose}
        onMade={(result) => {
          setMade(result)
          onMade()
        }}
      />
    )
  }
  return (
    <Dialog title={t('requests.new')} onClose={onClose}>
      <DialogContent>
        {error ? <FormError>{textOf(error)}</FormError> : null}
        {data ? <Lead>{t('requests.forbidden')}</Lead> : null}
        {!data && !error ? <Skeleton label={t('share.loading')} heights={[44, 44]} /> : null}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('share.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}

type NewProps = { rules: Schemas['RequestRules']; onClose: () => void; onMade: (made: Made) => void }

function NewDialog({ rules, onClose, onMade }: NewProps) {
  const { t } = useTranslation('client')
  const { spaces } = usePageState()
  const [title, setTitle] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  // Spaces may arrive after the dialog was opened.
  const space = chosen ?? spaces[0]?.id ?? ''
  const [folder, setFolder] = useState('')
  const [days, setDays] = useState(String(Math.min(7, rules.maxDays)))
  const [files, setFiles] = useState('100')
  const [megabytes, setMegabytes] = useState('1000')
  const maxMegabytes = rules.maxBytes / MEGABYTE
  const isValid =
    title.trim() !== '' &&
    space !== '' &&
    isBetween(days, rules.maxDays) &&
    isBetween(files, rules.maxFiles) &&
    isBetween(megabytes, maxMegabytes)
  return (
    <FormDialog
      title={t('requests.new')}
      submit={t('share.create')}
      disabled={!isValid}
      onClose={onClose}
      onSubmit={async () => {
        const limits = { days: Number(days), files: Number(files), bytes: Number(megabytes) * MEGABYTE }
        const place = { space, folder: folder.replaceAll(/^\/+|\/+$/g, '') }
        onMade(await post('/requests', { title: title.trim(), ...place, ...limits }))
      }}
    >
      <Lead>{t('requests.lead')}</Lead>
      <Field
        label={t('requests.what')}
        hint={t('requests.whatHint')}
        required
        maxLength={80}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <Pair>
        <SelectField label={t('files.space')} value={space} onChange={({ target }) => setChosen(target.value)}>
          {spaces.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </SelectField>
        <Field
          label={t('requests.folder')}
          hint={t('requests.folderHint')}
          spellCheck={false}
          maxLength={1000}
          value={folder}
          onChange={({ target }) => setFolder(target.value)}
        />
      </Pair>
      <Pair>
        <NumberField
          label={t('share.days')}
          hint={t('share.daysHint', { count: rules.maxDays })}
          value={days}
          most={rules.maxDays}
          onChange={setDays}
        />
        <NumberField
          label={t('requests.files')}
          hint={t('requests.inAll')}
          value={files}
          most={rules.maxFiles}
          onChange={setFiles}
        />
        <NumberField
          label={t('requests.megabytes')}
          hint={t('requests.inAll')}
          value={megabytes}
          most={maxMegabytes}
          onChange={setMegabytes}
        />
      </Pair>
    </FormDialog>
  )
}

function MadeDialog({ made, onClose }: { made: Made; onClose: () => void }) {
  const { t } = useTranslation('client')
  return (
    <Dialog title={t('share.made')} onClose={onClose} closesOnOutsideClick={false}>
      <DialogContent>
        <Stack>
          <Lead>{t('requests.madeText', { date: formatDateTime(made.expires) })}</Lead>
          <CodeBlock text={made.link} caption={t('share.link')} copyLabel={t('share.copyLink')} />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('share.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
