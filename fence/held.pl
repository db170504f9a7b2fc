# What is held, and what of it a command of one agent must not change.
#
# held:  # OWNER OWNER ...              the owners, for the preamble
#        # due MILLISECONDS BOOT        when something in it may end by itself, for guard
#        OWNER <tab> KIND <tab> PATH <tab> PID <tab> ...
# KIND   F  a file, or a directory with all that is in it
#        W  never read-only (git's own directory, with guard's state)
#        R  root of a checkout: how far up directories are bound in a closed fence
# PID    the holder's client, or nothing
# PATH   absolute, no symbolic link in it; here and in OWNER \n, \t and \\ stand for newline, tab and backslash
use strict;

# More would cost a second for every command. Those below the working directory come first.
my $MOST = 4096;

sub decoded {
  my ($text) = @_;
  $text =~ s/\\(.)/$1 eq 'n' ? "\n" : $1 eq 't' ? "\t" : $1/ge if index($text, '\\') >= 0;
  return $text;
}

# "AGENT/*" is any agent of that session.
sub is_mine {
  my ($me, $owner) = @_;
  return $owner eq $me unless $me =~ m{^(.*)/\*\z}s;
  return $owner eq $1 || index($owner, "$1/") == 0;
}

sub is_below {
  my ($path, $above) = @_;
  return index($path, $above eq '/' ? '/' : "$above/") == 0;
}

# Paths that must be read-only, those inside them that must not, and directories that must keep their name.
# NUMBER: of the namespace, when it is there already. A client that was started in it writes its own files from there.
sub wanted {
  my ($held, $me, $mode, $number) = @_;
  my (%fenced, @own, @roots, %inside);
  open my $file, '<', $held or return ({}, [], []);
  while (my $line = <$file>) {
    chomp $line;
    next if index($line, '#') == 0;
    my ($owner, $kind, $text, $pid) = split /\t/, $line, 5;
    next unless defined $text;
    my $path = decoded($text);
    if ($kind eq 'R') { push @roots, $path }
    elsif ($kind eq 'W' || is_mine($me, decoded($owner))) { push @own, $path }
    elsif (defined $number && $pid && ($inside{$pid} //= (namespace_number("/proc/$pid/ns/mnt") // '') eq $number)) {
      push @own, $path;
    }
    elsif ($kind eq 'F') { $fenced{$path} = 1 }
  }
  close $file;
  %fenced = nearest(%fenced) if keys %fenced > $MOST;
  my @keep = grep { !$fenced{$_} && has_above($_, \%fenced) } @own;
  return (\%fenced, \@keep, $mode eq 'closed' ? [above(\@roots, keys %fenced)] : []);
}

sub has_above {
  my ($path, $fenced) = @_;
  while ($path =~ s{/[^/]*\z}{}) { return 1 if $fenced->{$path eq '' ? '/' : $path} }
  return 0;
}

sub nearest {
  my %all = @_;
  my $here = readlink('/proc/self/cwd') // '/';
  my @near = grep { is_below($_, $here) } keys %all;
  my @rest = grep { !is_below($_, $here) } keys %all;
  return map { $_ => 1 } (@near, @rest)[0 .. $MOST - 1];
}

# Directories between the root of a checkout and what is held in it.
sub above {
  my ($roots, @paths) = @_;
  my %found;
  for my $path (@paths) {
    my ($root) = grep { is_below($path, $_) } @$roots;
    next unless defined $root;
    while ($path =~ s{/[^/]*\z}{}) {
      last if $path eq $root || $found{$path};
      $found{$path} = 1;
    }
  }
  return keys %found;
}

1;
