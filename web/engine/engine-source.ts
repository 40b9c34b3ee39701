/** Address or bytes of the engine's module. */
export type Uncompiled = ArrayBuffer | ArrayBufferView<ArrayBuffer> | URL | string;

/** Sources of the engine's module: its address, its bytes, or compiled. */
export type EngineSource = CompiledModule | Uncompiled;

/** `WebAssembly.Module`; `never` for callers whose types lack WebAssembly, as those of Node do. */
type CompiledModule = typeof globalThis extends {
  readonly WebAssembly: { readonly Module: { readonly prototype: infer Module } };
}
  ? Module
  : never;
