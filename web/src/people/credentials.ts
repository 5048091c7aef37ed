/** Passkeys: what the server asks in JSON and what the browser wants in bytes. */

export type WayIn = { by: 'passkey' } | { by: 'password' | 'code'; text: string };

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));

const toText = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

interface Named {
  id: string;
  type: 'public-key';
  transports?: AuthenticatorTransport[];
}

const named = (all: Named[] | undefined): PublicKeyCredentialDescriptor[] =>
  (all ?? []).map(({ id, ...rest }) => ({ ...rest, id: toBytes(id) }));

/** Whether this browser, at this address, can do it at all: a passkey belongs to a name, so a bare
 *  number for an address has none. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && isSecureContext && !/^[\d.]+$|:/.test(location.hostname);

/** The person waved the browser's question away, or the device has no such key. */
export const isWavedAway = (error: unknown): boolean => error instanceof DOMException;

export type Creation = Omit<PublicKeyCredentialCreationOptions, 'challenge' | 'user' | 'excludeCredentials'> & {
  challenge: string;
  user: { id: string; name: string; displayName: string };
  excludeCredentials?: Named[];
};

export type Request = Omit<PublicKeyCredentialRequestOptions, 'challenge' | 'allowCredentials'> & {
  challenge: string;
  allowCredentials?: Named[];
};

/** What goes to the server. */
export interface Shown {
  id: string;
  rawId: string;
  type: string;
  authenticatorAttachment: string | null;
  clientExtensionResults: AuthenticationExtensionsClientOutputs;
  response: Record<string, string | string[] | null>;
}

function shown(found: Credential | null, response: (key: PublicKeyCredential) => Shown['response']): Shown {
  if (!(found instanceof PublicKeyCredential)) throw new DOMException('no passkey', 'NotAllowedError');
  return {
    id: found.id,
    rawId: toText(found.rawId),
    type: found.type,
    authenticatorAttachment: found.authenticatorAttachment,
    clientExtensionResults: found.getClientExtensionResults(),
    response: response(found),
  };
}

/** Make a passkey on this device. Throws a DOMException where the person does not want to. */
export async function createKey(options: Creation): Promise<Shown> {
  const { challenge, user, excludeCredentials, ...rest } = options;
  const publicKey = {
    ...rest,
    challenge: toBytes(challenge),
    user: { ...user, id: toBytes(user.id) },
    excludeCredentials: named(excludeCredentials),
  };
  return shown(await navigator.credentials.create({ publicKey }), (key) => {
    const said = key.response as AuthenticatorAttestationResponse;
    return {
      clientDataJSON: toText(said.clientDataJSON),
      attestationObject: toText(said.attestationObject),
      transports: said.getTransports(),
    };
  });
}

/** Use one that this device has. */
export async function useKey(options: Request): Promise<Shown> {
  const { challenge, allowCredentials, ...rest } = options;
  const publicKey = { ...rest, challenge: toBytes(challenge), allowCredentials: named(allowCredentials) };
  return shown(await navigator.credentials.get({ publicKey }), (key) => {
    const said = key.response as AuthenticatorAssertionResponse;
    return {
      clientDataJSON: toText(said.clientDataJSON),
      authenticatorData: toText(said.authenticatorData),
      signature: toText(said.signature),
      userHandle: said.userHandle ? toText(said.userHandle) : null,
    };
  });
}
