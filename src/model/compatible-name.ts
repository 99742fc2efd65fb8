/** The name of the provider behind which anybody's model can be, as the command line has it too: `openai-compatible:qwen2.5:7b`. */
export const COMPATIBLE = 'openai-compatible';
