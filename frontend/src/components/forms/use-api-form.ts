import { zodResolver } from '@hookform/resolvers/zod'
import type { SubmitEvent } from 'react'
import {
  useForm,
  type DefaultValues,
  type FieldValues,
  type Path,
  type RegisterOptions,
  type UseFormReturn,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import { ApiError, errorMessage } from '@/api/errors'
import { toast } from '@/components/toast'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { CancelledError } from '@/lib/deferred'

type Options<Values extends FieldValues> = {
  schema: z.core.$ZodType<Values, Values>
  defaultValues: Values
  /** Called with checked values; a promise keeps the form pending. */
  submit: (values: Values, form: UseFormReturn<Values>) => unknown
  /** The server's names of fields that are called otherwise in the form. */
  serverNames?: Record<string, Path<Values>>
  /** Shows a failure as a toast, with this text when the server gives none; without it the failure is in `mutation`. */
  failureToast?: string
}

/** A form whose values zod checks and one call saves. Fields that the server refuses are marked. */
export function useApiForm<Values extends FieldValues>(options: Options<Values>) {
  const { schema, defaultValues, submit, serverNames = {}, failureToast } = options
  const form = useForm<Values>({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: defaultValues as DefaultValues<Values>,
  })
  const mutation = useSecretMutation(async (values: Values) => {
    try {
      await submit(values, form)
    } catch (error) {
      if (applyServerErrors(error, form, serverNames)) return
      if (failureToast === undefined || error instanceof CancelledError) throw error
      toast.error(errorMessage(error, failureToast))
    }
  })
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    void form.handleSubmit(async (values) => {
      await mutation.mutate(values)
    })(event)
  }
  /** What the component of a field needs. A field may be checked together with another, but nothing is said about one
   *  that nobody has been in yet. */
  function field(name: Path<Values>, options?: RegisterOptions<Values, Path<Values>>) {
    // Not `getFieldState`: it also renders while a field is being checked, with the message of the check before, and a
    // button that this moves away misses its click.
    const { errors, touchedFields, isSubmitted } = form.formState
    const { message } = errors[name] ?? {}
    const isShown = (touchedFields as Record<string, boolean>)[name] || isSubmitted
    return { ...form.register(name, options), error: isShown ? (message as string | undefined) : undefined }
  }
  return { ...form, field, mutation, onSubmit }
}

export type ApiForm<Values extends FieldValues> = ReturnType<typeof useApiForm<Values>>

/** Shows what the server said about each field beside that field; returns whether there was anything. */
function applyServerErrors<T extends FieldValues>(
  error: unknown,
  { setError, getValues }: UseFormReturn<T>,
  names: Record<string, Path<T>>,
): boolean {
  const fields = error instanceof ApiError ? (error.fields ?? {}) : {}
  const known = Object.entries(fields).flatMap(([name, message]) => {
    const field = names[name] ?? (name in getValues() ? (name as Path<T>) : undefined)
    return field ? [{ field, message }] : []
  })
  known.forEach(({ field, message }, index) => {
    setError(field, { type: 'server', message }, { shouldFocus: index === 0 })
  })
  return known.length > 0
}
