# Types a line and a tab into a real, interactive zsh: drive.zsh FOLDER LINE prints what it shows, and "told<LINE>".
zmodload zsh/zpty
zpty -b shell "TERM=dumb zsh -f -i"
zpty -w shell "PS1=; unsetopt beep; stty cols 200; fpath=(${(q)1} \$fpath); autoload -Uz compinit; compinit -u -D; tell() { zle -I; print -r -- \"told<\$BUFFER>\" }; zle -N tell; bindkey '^Xq' tell; print rea\\dy"
shown=""
until_shown() {
  local part end=$(( SECONDS + 20 ))
  while [[ $shown != *${~1}* ]] && (( SECONDS < end )); do zpty -r -t shell part && shown+=$part || sleep 0.02; done
}
until_shown ready
shown=""
zpty -w -n shell "$2"$'\t\x18q'
until_shown 'told<*>'
print -r -- "$shown"
zpty -d shell
