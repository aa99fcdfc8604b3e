console.error(Deno.args);
